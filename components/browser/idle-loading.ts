import { useEffect } from 'react'
import { onEvents } from './browser-tab'

type Loads = readonly (() => Promise<unknown>)[]

const FIRST_MOMENT_MS = 1_200
const LATEST_MS = 1_000
const onInput = onEvents(() => window, 'pointermove', 'pointerdown', 'keydown')

/**
 * Fetches ahead what keys and presses will ask for: `soon` when the browser is idle after the first screen, `later` once the
 * user has moved, pressed or typed, too. `loads` must stay the same.
 */
export function useIdleLoading(loads: { soon: Loads; later: Loads }): void {
  useEffect(() => {
    const { saveData }: { saveData?: unknown } = 'connection' in navigator ? Object(navigator.connection) : {}
    if (saveData === true) return
    const timer = setTimeout(() => void loadAll(loads.soon), FIRST_MOMENT_MS)
    const ignoreInput = onInput(() => {
      stop()
      void loadAll([...loads.soon, ...loads.later])
    })
    const stop = () => {
      clearTimeout(timer)
      ignoreInput()
    }
    return stop
  }, [loads])
}

/** One after the other, so that none delays what a user asks for meanwhile. */
async function loadAll(loads: Loads): Promise<void> {
  for (const load of loads) {
    await new Promise((resolve) => {
      // Safari has no such call.
      if ('requestIdleCallback' in window) window.requestIdleCallback(resolve, { timeout: LATEST_MS })
      else setTimeout(resolve, 200)
    })
    await load().catch(() => {})
  }
}
