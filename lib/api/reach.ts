const TRY_EVERY_MS = 3_000
const LONGEST_MS = 2 * 60_000

type Waiting = {
  /** Whether our server answers now. */
  ask: () => Promise<boolean>
  /** Waits a while, or until the network says that it is back. */
  pause: (ms: number) => Promise<void>
  /** Whether it is still wanted: the person may have gone elsewhere meanwhile. */
  isWanted: () => boolean
  /** Told once, when the server turns out not to answer. */
  onCut: () => void
}

/** Waits for the server; answers whether it is there and still wanted. After two minutes nobody waits any more. */
export async function untilReached({ ask, pause, isWanted, onCut }: Waiting): Promise<boolean> {
  for (let waitedMs = 0; waitedMs <= LONGEST_MS; waitedMs += TRY_EVERY_MS) {
    const isThere = await ask()
    if (!isWanted()) return false
    if (isThere) return true
    if (waitedMs === 0) onCut()
    await pause(TRY_EVERY_MS)
    if (!isWanted()) return false
  }
  return false
}

const ASK_MS = 4_000

/** Whether our own server answers; the error page of a proxy before it does not count. */
async function isServerThere(): Promise<boolean> {
  try {
    const answer = await fetch('/api/health', { cache: 'no-store', signal: AbortSignal.timeout(ASK_MS) })
    return answer.headers.get('content-type')?.includes('json') ?? false
  } catch {
    return false
  }
}

/** Counts who wanted to go where: only the last one goes. */
let goals = 0

/** Somewhere that a person wants to go as soon as the server is there, unless they go elsewhere before that. */
export function newGoal() {
  const own = ++goals
  const from = location.href
  return {
    forget: () => void goals++,
    isReached: (onCut: () => void): Promise<boolean> =>
      untilReached({
        ask: isServerThere,
        pause: untilOnline,
        isWanted: () => own === goals && location.href === from,
        onCut,
      }),
  }
}

function untilOnline(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    window.addEventListener('online', done)
  })
}
