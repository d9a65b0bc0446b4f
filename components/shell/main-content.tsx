'use client'

import { useTranslations } from 'next-intl'
import { usePathname } from 'next/navigation'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useIsNavigating } from '@/components/app/navigate'

const QUICK_MS = 400

/** Fades while the next screen is on its way, and gets the focus when that is there, so that Tab goes on from it. */
export function MainContent({ children }: { children: ReactNode }) {
  const main = useRef<HTMLElement>(null)
  const pathname = usePathname()
  const isGoing = useIsNavigating()
  const shown = useRef(pathname)
  const t = useTranslations('common')
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true })
  }, [pathname])
  useEffect(() => {
    if (!isGoing) return
    const timer = setTimeout(() => setSlow(true), QUICK_MS)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [isGoing])
  return (
    <>
      <output className="sr-only">{isSlow && t('loading')}</output>
      <main ref={main} id="content" tabIndex={-1} aria-busy={isGoing} className="main-content">
        {children}
      </main>
    </>
  )
}
