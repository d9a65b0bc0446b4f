'use client'

import { useEffect } from 'react'

/** Adds a font that few letters need after the page has loaded; until then the system's font shows these letters. */
export function DeferredFont({ className }: { className: string }) {
  useEffect(() => {
    const applyFont = () =>
      requestAnimationFrame(() => setTimeout(() => document.documentElement.classList.add(className)))
    if (document.readyState === 'complete') return void applyFont()
    window.addEventListener('load', applyFont)
    return () => window.removeEventListener('load', applyFont)
  }, [className])
  return null
}
