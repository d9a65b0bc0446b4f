/** Draws the same numbers for the same seed on every machine (sfc32, PractRand's small fast counter). */
export class Random {
  #a: number
  #b: number
  #c: number
  #counter = 1

  /** Three words of 32 bits seed the state; with fewer, different forks would invent the same people. */
  constructor(a: number, b = 0, c = 0) {
    this.#a = a | 0
    this.#b = b | 0
    this.#c = c | 0
    // The first numbers of similar seeds are alike, so they are skipped.
    for (let round = 0; round < 12; round++) this.unit()
  }

  unit(): number {
    const sum = (this.#a + this.#b + this.#counter++) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0
    return (sum >>> 0) / 4_294_967_296
  }

  below(max: number): number {
    return Math.floor(this.unit() * max)
  }

  chance(probability: number): boolean {
    return this.unit() < probability
  }

  pick<T>(items: readonly T[]): T {
    return at(items, this.below(items.length))
  }

  /** Picks one of the first `max` items, the first far more often than the last, as names are distributed. */
  pickEarly<T>(items: readonly T[], max = items.length): T {
    return at(items, Math.floor(items.length * this.unit() ** 2) % max)
  }

  /** Draws an index by weight; `shares` is the result of `cumulativeShares`. */
  pickIndex(shares: Float64Array): number {
    const fraction = this.unit()
    let [low, high] = [0, shares.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((shares[middle] ?? 1) > fraction) high = middle
      else low = middle + 1
    }
    return low
  }

  fork(): Random {
    return new Random(this.below(2 ** 32), this.below(2 ** 32), this.below(2 ** 32))
  }
}

export function cumulativeShares(weights: readonly number[]): Float64Array {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let sum = 0
  return Float64Array.from(weights, (weight) => (sum += weight) / total)
}

function at<T>(items: readonly T[], index: number): T {
  const item = items[index]
  if (item === undefined) throw new RangeError('nothing to pick from')
  return item
}
