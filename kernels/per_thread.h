// Values that threads do not share.
#pragma once

#include <tbb/enumerable_thread_specific.h>

namespace catena {

// A value for every thread, made when the thread first asks for it with local().
template <class T>
using PerThread = tbb::enumerable_thread_specific<T>;

}  // namespace catena
