'use client'

import { Search } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { usePathname } from 'next/navigation'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { findCommand } from '@/components/app/commands'
import { optionalPart } from '@/components/app/lazy-part'
import { useIsNavigating } from '@/components/app/navigate'
import { IconButton } from '@/components/ui/icon-button'
import { Skeleton } from '@/components/ui/loading'

const SLOW_AFTER_MS = 400

/** Shows the screen, faded while the next one loads. The next one gets the focus, so that Tab continues in it. */
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

const StatusText = optionalPart(
  async () => (await import('./status-text')).StatusText,
  <Skeleton className="my-0.75 ml-3.25 h-3 w-20" />,
)

/** The text is loaded after the page; a placeholder keeps its room. */
export function StatusLine() {
  const t = useTranslations('status')
  return (
    <section aria-label={t('label')} className="tabular min-h-4.5 min-w-0 text-xs text-mute">
      <StatusText />
    </section>
  )
}

export function PaletteButton() {
  const t = useTranslations('shell')
  return (
    <IconButton icon={Search} label={t('commands')} shortcut="Control+K" onClick={() => findCommand('palette')?.()} />
  )
}
