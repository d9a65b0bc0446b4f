type Leaving = {
  /** Stops it; whether it was still there. */
  takeBack: () => boolean
  /** Whether nothing was done after it that could be taken back instead. */
  isLast: () => boolean
}

/** More than can wait at a time; those that have left need not be known. */
const MOST = 10

/**
 * What the rest of the desk knows of replies that Intag is about to send: the inbox, which takes them back, and whoever signs out. The
 * code that sends them comes later than the inbox, and only where one answers.
 */
export function createLeavingReplies() {
  let leaving: readonly Leaving[] = []
  let sendAll = async () => true
  return {
    begun: (reply: Leaving): void => {
      leaving = [...leaving, reply].slice(-MOST)
    },
    /** Takes back the newest that is still there, if nothing was done after it; answers whether one was. */
    takeBack: (): boolean => {
      for (let last = leaving.at(-1); last?.isLast(); last = leaving.at(-1)) {
        leaving = leaving.slice(0, -1)
        if (last.takeBack()) return true
      }
      return false
    },
    /** Told by the code that sends. */
    sentBy: (send: typeof sendAll): void => {
      sendAll = send
    },
    /** Sends at once what waits; answers whether all of it has left. */
    sendAll: (): Promise<boolean> => sendAll(),
  }
}

/** Those of this tab. */
export const leavingReplies = createLeavingReplies()
