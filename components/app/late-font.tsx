'use client'

import { useEffect } from 'react'

/** Few letters need this font: the system's font shows them until all else has loaded. */
export function LateFont({ className }: { className: string }) {
  useEffect(() => {
    const use = () => requestAnimationFrame(() => setTimeout(() => document.documentElement.classList.add(className)))
    if (document.readyState === 'complete') return void use()
    window.addEventListener('load', use)
    return () => window.removeEventListener('load', use)
  }, [className])
  return null
}
