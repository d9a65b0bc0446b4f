import { useEffect } from 'react'

type Load = () => Promise<unknown>

/** `soon`: when the browser is idle after the first screen; `later`: once the user has moved, pressed or typed, too. */
type Loads = { soon: readonly Load[]; later: readonly Load[] }

const FIRST_MOMENT_MS = 1_200
const LATEST_MS = 1_000
const INPUTS = ['pointermove', 'pointerdown', 'keydown'] as const

/** Fetches ahead what keys and presses will ask for. `loads` must stay the same. */
export function useIdleLoading(loads: Loads): void {
  useEffect(() => {
    if (savesData()) return
    const inputs = new AbortController()
    const timer = setTimeout(() => void loadAll(loads.soon), FIRST_MOMENT_MS)
    const stop = () => {
      clearTimeout(timer)
      inputs.abort()
    }
    const onInput = () => {
      stop()
      void loadAll([...loads.soon, ...loads.later])
    }
    for (const name of INPUTS) window.addEventListener(name, onInput, { passive: true, signal: inputs.signal })
    return stop
  }, [loads])
}

/** One after the other, so that none delays what a user asks for meanwhile. */
async function loadAll(loads: readonly Load[]): Promise<void> {
  for (const load of loads) {
    await idle()
    await load().catch(() => {})
  }
}

function idle(): Promise<unknown> {
  return new Promise((resolve) => {
    // Safari has no such call.
    if ('requestIdleCallback' in window) window.requestIdleCallback(resolve, { timeout: LATEST_MS })
    else setTimeout(resolve, 200)
  })
}

function savesData(): boolean {
  const { saveData }: { saveData?: unknown } = 'connection' in navigator ? Object(navigator.connection) : {}
  return saveData === true
}
