'use client'

import { useEffect } from 'react'

/** Few letters need it: until all else is here, the system's font has them. */
export function LateFont({ className }: { className: string }) {
  useEffect(() => {
    const use = () => requestAnimationFrame(() => setTimeout(() => document.documentElement.classList.add(className)))
    if (document.readyState === 'complete') return void use()
    window.addEventListener('load', use)
    return () => window.removeEventListener('load', use)
  }, [className])
  return null
}
