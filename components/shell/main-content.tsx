'use client'

import { useTranslations } from 'next-intl'
import { usePathname } from 'next/navigation'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useIsNavigating } from '@/components/app/navigate'

/** A shorter load is not read aloud. */
const SLOW_AFTER_MS = 400

/** Shows the screen, faded while the next one loads. A new one without the focus gets it, so that Tab starts there. */
export function MainContent({ children }: { children: ReactNode }) {
  const main = useRef<HTMLElement>(null)
  const pathname = usePathname()
  const isNavigating = useIsNavigating()
  const lastPathname = useRef(pathname)
  const t = useTranslations('common')
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    if (lastPathname.current === pathname) return
    lastPathname.current = pathname
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true })
  }, [pathname])
  useEffect(() => {
    if (!isNavigating) return
    const timer = setTimeout(() => setSlow(true), SLOW_AFTER_MS)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [isNavigating])
  return (
    <>
      <output className="sr-only">{isSlow && t('loading')}</output>
      <main ref={main} id="content" tabIndex={-1} aria-busy={isNavigating} className="main-content">
        {children}
      </main>
    </>
  )
}
