const LATIN_1 = 256
const NOT_SIMPLE = -1

/**
 * What `fold` makes of each Latin-1 letter, as a code unit, where that is one unit up to `highest`. For folds that treat
 * such letters one by one; ß, µ and the like are not simple.
 */
export function letterTable(fold: (text: string) => string, highest: number): Int32Array {
  return Int32Array.from({ length: LATIN_1 }, (_, code) => {
    const folded = fold(`a${String.fromCharCode(code)}a`)
    const unit = folded.charCodeAt(1)
    return folded.length === 3 && unit <= highest ? unit : NOT_SIMPLE
  })
}

/** Letters beyond the table are not simple either. */
export function isSimple(unit: number | undefined): unit is number {
  return unit !== undefined && unit !== NOT_SIMPLE
}
