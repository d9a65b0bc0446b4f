import { useEffect } from 'react'

type Load = () => Promise<unknown>

/** `soon`: as soon as the browser is idle; `later`: once the user has moved, pressed or typed, too. */
type Loads = { soon: readonly Load[]; later: readonly Load[] }

/** Fetches, when the browser is idle, what keys and presses will ask for. `loads` must stay the same. */
export function useIdleLoading(loads: Loads): void {
  useEffect(() => loadAtIdle(loads), [loads])
}

const LATEST_MS = 1_000
const FIRST_MOMENT_MS = 1_200
const INPUTS = ['pointermove', 'pointerdown', 'keydown'] as const

const soon: Load[] = []
const later: Load[] = []
let isStarted = false
let isOpen = false
let hasInput = false
let isLoading = false

function loadAtIdle(loads: Loads): void {
  if (savesData()) return
  soon.push(...loads.soon)
  later.push(...loads.later)
  if (isStarted) return loadNext()
  isStarted = true
  if (document.readyState === 'complete') startWhenCalm()
  else window.addEventListener('load', startWhenCalm, { once: true })
}

/** The first screen goes first, unless the user already moves or types. */
function startWhenCalm(): void {
  const begin = () => {
    isOpen = true
    loadNext()
  }
  const timer = setTimeout(begin, FIRST_MOMENT_MS)
  const onInput = () => {
    clearTimeout(timer)
    for (const name of INPUTS) window.removeEventListener(name, onInput)
    hasInput = true
    begin()
  }
  for (const name of INPUTS) window.addEventListener(name, onInput, { passive: true })
}

/** One after the other, so that none delays what a user asks for meanwhile. */
function loadNext(): void {
  if (!isOpen || isLoading) return
  const load = soon.shift() ?? (hasInput ? later.shift() : undefined)
  if (load === undefined) return
  isLoading = true
  atIdle(() => void runLoad(load))
}

async function runLoad(load: Load): Promise<void> {
  await load().catch(() => {})
  isLoading = false
  loadNext()
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
