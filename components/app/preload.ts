import { useEffect } from 'react'

/** A busy browser runs each load after this time at the latest. */
const IDLE_TIMEOUT_MS = 1_000

/**
 * Runs these loads of code from the user's first input on, each once the browser is idle, so that none delays the user.
 * Nothing is preloaded for users who save data. `loads` must keep its identity, or the loads begin again.
 */
export function usePreloadWhenIdle(loads: readonly (() => Promise<unknown>)[]): void {
  useEffect(() => {
    const { connection } = navigator as { connection?: { saveData: boolean } }
    if (connection?.saveData) return undefined
    const unmount = new AbortController()
    const preload = async () => {
      await waitForInput(unmount.signal)
      // Safari has no `requestIdleCallback`; a pause stands in.
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
