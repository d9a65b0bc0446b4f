import { useEffect } from 'react'
import { after } from '@/lib/after'
import { onEvents } from '@/components/ui/browser-tab'

type Loads = readonly (() => Promise<unknown>)[]

const FIRST_MOMENT_MS = 1_200
const IDLE_WITHIN_MS = 1_000
const onInput = onEvents(() => window, 'pointermove', 'pointerdown', 'keydown')

/**
 * Fetches ahead what keys and presses will ask for: `soon` after the first screen, `later` once the user has moved, pressed or
 * typed, too. `loads` must stay the same.
 */
export function useIdleLoading(loads: { soon: Loads; later: Loads }): void {
  useEffect(() => {
    const { saveData }: { saveData?: unknown } = 'connection' in navigator ? Object(navigator.connection) : {}
    if (saveData === true) return undefined
    const stopWaiting = after(FIRST_MOMENT_MS, () => void loadAll(loads.soon))
    const stopListening = onInput(() => {
      stop()
      void loadAll([...loads.soon, ...loads.later])
    })
    const stop = () => {
      stopWaiting()
      stopListening()
    }
    return stop
  }, [loads])
}

/** One after the other, each when the browser is idle, so that none delays what a user asks for meanwhile. */
async function loadAll(loads: Loads): Promise<void> {
  // Safari has no such call.
  const whenIdle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 200))
  for (const load of loads) {
    await new Promise((resolve) => whenIdle(resolve, { timeout: IDLE_WITHIN_MS }))
    await load().catch(() => {})
  }
}
