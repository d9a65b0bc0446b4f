'use client'

import { useEffect } from 'react'

/** Adds, once the page has loaded, a font that few letters need; until then the system's font shows them. */
export function DeferredFont({ className }: { className: string }) {
  useEffect(() => {
    const addClass = () => document.documentElement.classList.add(className)
    // The task after a frame follows the paint, so that the font does not delay it.
    const applyFont = () => requestAnimationFrame(() => setTimeout(addClass))
    if (document.readyState === 'complete') return void applyFont()
    window.addEventListener('load', applyFont)
    return () => window.removeEventListener('load', applyFont)
  }, [className])
  return null
}
