"""Exceptions of the package. Mistakes in a model are ValueError or TypeError."""


class UserFunctionError(RuntimeError):
    """A Python user function has failed while the solver called it.

    The text tells the item, the time and the error; __cause__ is the original exception with its traceback.
    """


class NotAvailableError(NotImplementedError):
    """A feature of the modelling language that Catena does not have yet."""
