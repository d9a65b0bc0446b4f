'use client'

import { useEffect } from 'react'

/** Lets the page use a font that few letters need once all else is here. Until then the system's has those letters. */
export function LateFont({ className }: { className: string }) {
  useEffect(() => {
    const use = () => requestAnimationFrame(() => setTimeout(() => document.documentElement.classList.add(className)))
    if (document.readyState === 'complete') return void use()
    window.addEventListener('load', use)
    return () => window.removeEventListener('load', use)
  }, [className])
  return null
}
