import 'server-only'
import { randomUUID } from 'node:crypto'
import type { ListName } from './list-state'
import type { Share, SharedState, Turn } from './share'

export type MemoryShareOptions = { now: () => number; turnMs: number }
type Kept = { state: SharedState; body: Uint8Array | null }

/** The share of feeds in one process. Answers what `connect` each of them with. */
export function createMemoryShare({ now, turnMs }: MemoryShareOptions): { connect: () => Share } {
  const kept = new Map<ListName, Kept>()
  const turns = new Map<ListName, { id: string; endsAt: number }>()
  const listeners = new Set<(list: ListName) => void>()

  const has = (list: ListName, id: string) => {
    const turn = turns.get(list)
    return turn?.id === id && turn.endsAt > now()
  }
  const end = (list: ListName, id: string) => {
    if (turns.get(list)?.id === id) turns.delete(list)
  }
  const newTurn = (list: ListName, id: string): Turn => ({
    id,
    async tell(state, body) {
      if (!has(list, id)) return false
      kept.set(list, { state: { ...state, id }, body: body ?? kept.get(list)?.body ?? null })
      end(list, id)
      for (const listener of listeners) listener(list)
      return true
    },
    release: async () => end(list, id),
  })

  const connect = (): Share => {
    const held = new Map<ListName, Turn>()
    return {
      read: async (list) => kept.get(list)?.state ?? null,
      async readWhole(list) {
        const { state, body } = kept.get(list) ?? {}
        return state && body ? { state, body } : null
      },
      async takeTurn(list) {
        await held.get(list)?.release()
        if ((turns.get(list)?.endsAt ?? -Infinity) > now()) return null
        const turn = newTurn(list, randomUUID())
        turns.set(list, { id: turn.id, endsAt: now() + turnMs })
        held.set(list, turn)
        return turn
      },
      onNews: (listener) => void listeners.add(listener),
      close: async () => void (await Promise.all([...held.values()].map((turn) => turn.release()))),
    }
  }
  return { connect }
}
