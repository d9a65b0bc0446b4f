import { useEffect } from 'react'

type Load = () => Promise<unknown>

/** Fetches, when the browser is idle, what keys and presses will ask for. `loads` must stay the same. */
export function useIdleLoading(loads: readonly Load[]): void {
  useEffect(() => loadAtIdle(loads), [loads])
}

const LATEST_MS = 1_000
const waiting: Load[] = []
let isRunning = false

/** One after the other, so that none stands in the way of what a person asks for meanwhile. */
function loadAtIdle(loads: readonly Load[]): void {
  if (savesData()) return
  waiting.push(...loads)
  if (isRunning) return
  isRunning = true
  if (document.readyState === 'complete') afterFirstMoment()
  else window.addEventListener('load', afterFirstMoment, { once: true })
}

const FIRST_MOMENT_MS = 1_200
const INPUTS = ['pointermove', 'pointerdown', 'keydown'] as const

/** The first screen goes first, unless the person already moves or types. */
function afterFirstMoment(): void {
  const start = () => {
    clearTimeout(timer)
    for (const name of INPUTS) window.removeEventListener(name, start)
    takeNext()
  }
  const timer = setTimeout(start, FIRST_MOMENT_MS)
  for (const name of INPUTS) window.addEventListener(name, start, { passive: true })
}

function takeNext(): void {
  const load = waiting.shift()
  if (load === undefined) {
    isRunning = false
    return
  }
  atIdle(() => void load().then(takeNext, takeNext))
}

function atIdle(run: () => void): void {
  // Safari has no such call.
  if ('requestIdleCallback' in window) window.requestIdleCallback(run, { timeout: LATEST_MS })
  else setTimeout(run, 200)
}

function savesData(): boolean {
  const { saveData }: { saveData?: unknown } = 'connection' in navigator ? Object(navigator.connection) : {}
  return saveData === true
}
