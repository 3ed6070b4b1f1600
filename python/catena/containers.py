"""Lists of vectors and matrices, and matrices that may be sparse."""

import numpy as np

from catena.errors import NotAvailableError


class _ArrayList(list):
    """A list of arrays of one shape."""
    _shape = ()

    def __init__(self, entries=()):
        list.__init__(self)
        for entry in entries:
            self.Append(entry)

    def _checked(self, entry):
        a = np.array(entry, float)
        if a.shape != self._shape:
            raise ValueError(f'{type(self).__name__}: an entry must have shape {self._shape}, found {a.shape}')
        return a

    def Append(self, entry):
        """Adds an entry; returns its index."""
        self.append(self._checked(entry))
        return len(self) - 1

    def __setitem__(self, index, entry):
        list.__setitem__(self, index, self._checked(entry))

    def GetPythonObject(self):
        """All entries as a list of lists."""
        return [a.tolist() for a in self]


class Vector2DList(_ArrayList):
    """List of vectors [2]."""
    _shape = (2,)


class Vector3DList(_ArrayList):
    """List of vectors [3]."""
    _shape = (3,)


class Vector6DList(_ArrayList):
    """List of vectors [6]."""
    _shape = (6,)


class Matrix3DList(_ArrayList):
    """List of matrices [3 x 3]."""
    _shape = (3, 3)


class Matrix6DList(_ArrayList):
    """List of matrices [6 x 6]."""
    _shape = (6, 6)


class MatrixContainer:
    """A matrix, given dense or as triplets [row, column, value]."""

    def __init__(self, matrix=None):
        self._matrix, self._dense = np.zeros((0, 0)), True
        if matrix is not None:
            if hasattr(matrix, 'toarray'):
                self._matrix, self._dense = matrix.toarray(), False
            else:
                self._matrix = np.array(matrix, float)

    def Initialize(self, numberOfRows, numberOfColumns, useDenseMatrix=True):
        """A matrix of zeros."""
        self._matrix, self._dense = np.zeros((numberOfRows, numberOfColumns)), useDenseMatrix

    def SetWithDenseMatrix(self, pyArray, useDenseMatrix=False, factor=1):
        """factor times an array."""
        self._matrix, self._dense = factor * np.array(pyArray, float), useDenseMatrix

    def SetWithSparseMatrix(self, sparseMatrix, numberOfRows=-1, numberOfColumns=-1, useDenseMatrix=False, factor=1):
        """factor times a sparse matrix or rows [row, column, value], whose values add up. It has room for all of them,
        and at least the numbers of rows and columns."""
        if hasattr(sparseMatrix, 'toarray'):
            self._matrix = factor * sparseMatrix.toarray()
        else:
            triplets = np.array(sparseMatrix, float).reshape(-1, 3)
            rows, columns = triplets[:, 0].astype(int), triplets[:, 1].astype(int)
            n, m = max(numberOfRows, rows.max(initial=-1) + 1), max(numberOfColumns, columns.max(initial=-1) + 1)
            self._matrix = np.zeros((n, m))
            np.add.at(self._matrix, (rows, columns), factor * triplets[:, 2])
        self._dense = useDenseMatrix

    def AddSparseMatrix(self, sparseMatrix, factor=1):
        """Adds factor times a sparse matrix of the same size."""
        other = MatrixContainer()
        other.SetWithSparseMatrix(sparseMatrix, *self._matrix.shape, factor=factor)
        self._matrix = self._matrix + other._matrix

    def SetAllZero(self):
        """Sets all values to 0."""
        self._matrix = np.zeros_like(self._matrix)

    def UseDenseMatrix(self):
        """Whether it counts as dense."""
        return self._dense

    def Convert2DenseMatrix(self):
        """The matrix as an array."""
        return self._matrix.copy()

    def GetPythonObject(self):
        """The matrix as an array."""
        if not self._dense:
            raise NotAvailableError('MatrixContainer: sparse matrices are handed out with Convert2DenseMatrix() only')
        return self._matrix.copy()

    def __array__(self, dtype=None):
        return np.asarray(self._matrix, dtype)

    def __repr__(self):
        return f'MatrixContainer({self._matrix.tolist()})'


def matrix_entries(matrix):
    """Rows [row, column, value] of the values of a MatrixContainer, an array or a sparse matrix."""
    dense = np.asarray(matrix.toarray() if hasattr(matrix, 'toarray') else matrix, float)
    rows, columns = np.nonzero(dense)
    return np.column_stack([rows, columns, dense[rows, columns]])
