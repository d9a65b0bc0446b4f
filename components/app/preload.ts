import { useEffect } from 'react'

const IDLE_TIMEOUT_MS = 1_000

/**
 * Preloads, from the user's first input on, the code that keys and presses will need: one after the other, each when
 * the browser is idle, so that none delays what the user does meanwhile. `loads` must keep its identity.
 */
export function usePreloadWhenIdle(loads: readonly (() => Promise<unknown>)[]): void {
  useEffect(() => {
    const { connection } = navigator as { connection?: { saveData: boolean } }
    if (connection?.saveData) return undefined
    const unmount = new AbortController()
    const preload = async () => {
      await waitForInput(unmount.signal)
      // A timeout stands in where Safari has no `requestIdleCallback`.
      const whenIdle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 200))
      for (const load of loads) {
        await new Promise((resolve) => whenIdle(resolve, { timeout: IDLE_TIMEOUT_MS }))
        if (unmount.signal.aborted) return
        await load().catch(() => {})
      }
    }
    void preload()
    return () => unmount.abort()
  }, [loads])
}

/** Resolves at the user's next input, and never once the signal is aborted. */
export function waitForInput(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    for (const event of ['pointermove', 'pointerdown', 'keydown', 'click'])
      window.addEventListener(event, resolve, { once: true, passive: true, signal })
  })
}
