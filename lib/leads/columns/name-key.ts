import { swedishSortKey } from '@/lib/leads/swedish-sort-key'
import { isSimple, letterTable } from './letter-table'

const SPACE = 32
const LONGEST = 100
const KEYS = letterTable(swedishSortKey, 0xffff)

/** `swedishSortKey` through a table made of itself: several times as fast for names with å ä ö é. */
export function createNameKeys(): (name: string) => string {
  const units: number[] = []

  return (name) => {
    if (name.length > LONGEST) return swedishSortKey(name)
    units.length = 0
    for (let at = 0; at < name.length; at++) {
      const unit = KEYS[name.charCodeAt(at)]
      if (!isSimple(unit)) return swedishSortKey(name)
      if (unit !== SPACE || (units.length > 0 && units.at(-1) !== SPACE)) units.push(unit)
    }
    if (units.at(-1) === SPACE) units.pop()
    return String.fromCharCode(...units)
  }
}
