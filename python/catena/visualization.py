"""Settings of a viewer. They are kept for viewers and change no result."""


class OpenSettings:
    """A tree of attributes that grows as it is used: settings.nodes.show = False."""

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        value = OpenSettings()
        self.__dict__[name] = value
        return value

    def GetDictionary(self):
        """What was set, as nested dictionaries."""
        return {k: v.GetDictionary() if isinstance(v, OpenSettings) else v for k, v in self.__dict__.items()}

    def SetDictionary(self, dictionary):
        """Sets what nested dictionaries hold."""
        for name, value in dictionary.items():
            if isinstance(value, dict):
                getattr(self, name).SetDictionary(value)
            else:
                setattr(self, name, value)

    def Reset(self):
        """Forgets everything."""
        self.__dict__.clear()

    def __call__(self, *args, **kwargs):
        """Functions of a viewer do nothing."""
        return self

    def __bool__(self):
        return False

    def __repr__(self):
        return f'OpenSettings({self.GetDictionary()!r})'
