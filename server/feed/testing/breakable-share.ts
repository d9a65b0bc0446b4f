import 'server-only'
import type { ListName } from '@/server/feed/list-state'
import { type Share, ShareUnavailableError } from '@/server/feed/share'
import { createMemoryShare } from '@/server/feed/share-in-memory'

const LISTS: readonly ListName[] = ['asked-questions', 'declarations-of-interest', 'high-schools']

/** A share that the story takes away, brings back and empties. */
export function breakableShare(now: () => number, turnMs: number) {
  const empty = () => createMemoryShare({ now, turnMs })
  let memory = empty()
  let isAway = false
  const listeners: ((list: ListName) => void)[] = []
  const heard = (list: ListName, isTold: boolean) => {
    if (isTold) for (const listener of listeners) listener(list)
    return isTold
  }

  const connect = (): Share => {
    let joined = memory
    let share = joined.connect()
    const reached = () => {
      if (isAway) throw new ShareUnavailableError('ECONNREFUSED')
      if (joined !== memory) share = (joined = memory).connect()
      return share
    }
    return {
      read: async (list) => reached().read(list),
      readWhole: async (list) => reached().readWhole(list),
      async takeTurn(list) {
        const turn = await reached().takeTurn(list)
        return turn && { ...turn, tell: async (...what) => reached() && heard(list, await turn.tell(...what)) }
      },
      onNews: (listener) => void listeners.push(listener),
      close: async () => reached().close(),
    }
  }

  return {
    connect,
    leave: () => void (isAway = true),
    comeBack: () => {
      isAway = false
      for (const list of LISTS) heard(list, true)
    },
    loseContent: () => void (memory = empty()),
  }
}
