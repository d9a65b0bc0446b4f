type Leaving = {
  takeBack: () => boolean
  /** Nothing was done after it that could be undone instead. */
  isLast: () => boolean
}

const MAX_REPLIES = 10

/** Replies that are about to be sent. The code that sends them is loaded when needed. */
export function createLeavingReplies() {
  let leaving: readonly Leaving[] = []
  let sendAll = async () => true
  return {
    begun: (reply: Leaving): void => {
      leaving = [...leaving, reply].slice(-MAX_REPLIES)
    },
    /** Takes back the newest one that still waits, unless something was done after it. */
    takeBack: (): boolean => {
      for (let last = leaving.at(-1); last?.isLast(); last = leaving.at(-1)) {
        leaving = leaving.slice(0, -1)
        if (last.takeBack()) return true
      }
      return false
    },
    sentBy: (send: typeof sendAll): void => {
      sendAll = send
    },
    /** Sends at once what waits; false if some could not be sent. */
    sendAll: (): Promise<boolean> => sendAll(),
  }
}

export const leavingReplies = createLeavingReplies()
