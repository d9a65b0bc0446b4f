'use client'

import { useEffect } from 'react'

/** Few letters need this font: the system's font shows them until all else has loaded. */
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
