import 'server-only'

type Ending = {
  /** Called once; the process ends when it resolves. `isHurried`: by somebody at a keyboard, who waits. */
  end: (isHurried: boolean) => Promise<void>
  exit?: (code: number) => void
  /** Milliseconds on a clock that never steps. */
  monotonic?: () => number
}

/** Ctrl-C reaches the server twice, from the terminal and from npm: what comes so soon is no second wish. */
const SAME_WISH_MS = 1_000

/** SIGTERM and SIGINT end the process in good order, a second one at once; so does the end of the npm that started it. */
export function endOnSignal({ end, exit = process.exit, monotonic = () => performance.now() }: Ending): void {
  let askedAt: number | null = null
  const ask = (isHurried: boolean) => {
    if (askedAt === null) {
      askedAt = monotonic()
      void end(isHurried).then(
        () => exit(0),
        () => exit(1),
      )
    } else if (monotonic() - askedAt >= SAME_WISH_MS) exit(1)
  }
  process.on('SIGTERM', () => ask(false))
  process.on('SIGINT', () => ask(true))
  endWithNpm(() => askedAt === null && ask(false))
}

const LOOK_MS = 500

/**
 * A shell between npm and the server dies of a signal that npm passes on, and of `kill -9` npm passes on nothing: either
 * way the server would go on with nobody to stop it. A terminal that is closed under `nohup npm start` ends no npm.
 */
export function endWithNpm(
  end: () => void,
  { parent = () => process.ppid, event = process.env.npm_lifecycle_event, lookMs = LOOK_MS } = {},
): void {
  if (event !== 'start') return
  const first = parent()
  const timer = setInterval(() => {
    if (parent() === first) return
    clearInterval(timer)
    end()
  }, lookMs).unref()
}
