type Numbers = Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>

const ROOM_TO_GROW = 1.25

/**
 * Room for numbers that are needed within one turn only, the same for every caller: a request that allocates a column of
 * 75 000 numbers of its own is paid for by whoever meets the garbage collector. What is in it before is anybody's.
 */
export function workingSpace<T extends Numbers>(make: (size: number) => T): (size: number) => T {
  let space = make(0)
  return (size) => {
    if (space.length < size) space = make(Math.ceil(size * ROOM_TO_GROW))
    return space.subarray(0, size) as T
  }
}
