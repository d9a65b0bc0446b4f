import { NO_TEXT } from './dictionary-column'
import type { Work } from './work'

/** Finds the position of an id. A hash table of numbers: 100 000 entries are remade in a millisecond or two. */
export type IdIndex = { find: (id: string) => number }

const ENTRIES_PER_PAUSE = 4096

/**
 * Indexes all ids but those of blank rows (whose `faults` are not `NO_TEXT`). When an id occurs again, the first position stays and
 * `onRepeat` is told. `hashes` are the ids' `hashId`.
 */
export function* indexIds(
  ids: readonly string[],
  hashes: Uint32Array,
  faults: Uint32Array | null,
  onRepeat: (position: number, first: number) => void,
): Work<IdIndex> {
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(ids.length * 1.5 + 2)))
  const mask = slots.length - 1

  /** The slot of this id, or the free one where it belongs. Slots hold position + 1; 0 is free. */
  function slotOf(id: string, hash: number): number {
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const position = (slots[slot] ?? 0) - 1
      if (position === -1 || (hashes[position] === hash && ids[position] === id)) return slot
    }
  }

  for (let position = 0; position < ids.length; position++) {
    if (position % ENTRIES_PER_PAUSE === 0) yield
    if (faults !== null && faults[position] !== NO_TEXT) continue
    const slot = slotOf(ids[position] ?? '', hashes[position] ?? 0)
    const first = (slots[slot] ?? 0) - 1
    if (first === -1) slots[slot] = position + 1
    else onRepeat(position, first)
  }
  return { find: (id) => (slots[slotOf(id, hashId(id))] ?? 0) - 1 }
}

/** FNV-1a over the code units, its high bits folded into the low ones that choose the slot. */
export function hashId(id: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}
