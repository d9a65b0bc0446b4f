'use client'

import { usePathname } from 'next/navigation'
import { type ReactNode, useEffect, useRef } from 'react'
import { useIsGoing } from '@/components/desk/go'

/**
 * The screen itself; it fades while the next one is on its way. Gets the focus when somebody goes to another one, so that Tab
 * and a screen reader go on from there.
 */
export function MainContent({ children }: { children: ReactNode }) {
  const main = useRef<HTMLElement>(null)
  const pathname = usePathname()
  const isGoing = useIsGoing()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true })
  }, [pathname])
  return (
    <main
      ref={main}
      id="content"
      tabIndex={-1}
      aria-busy={isGoing}
      className="relative min-h-0 flex-1 overflow-y-auto outline-none transition-opacity aria-busy:opacity-50 aria-busy:delay-120 low:not-desk:overflow-visible"
    >
      {children}
    </main>
  )
}
