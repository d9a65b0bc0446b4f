'use client'

import { useEffect } from 'react'

/** Runs once, as soon as somebody moves the pointer, touches or presses a key. `run` must stay the same. */
export function useFirstSign(run: () => void): void {
  useEffect(() => {
    const signs = ['pointermove', 'pointerdown', 'keydown'] as const
    const stop = () => {
      for (const sign of signs) window.removeEventListener(sign, react)
    }
    const react = () => {
      stop()
      run()
    }
    for (const sign of signs) window.addEventListener(sign, react, { passive: true })
    return stop
  }, [run])
}
