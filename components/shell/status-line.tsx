'use client'

import { useTranslations } from 'next-intl'
import { createElement } from 'react'
import { lazyCode, useLazyCode } from '@/components/browser/lazy-code'
import { cn } from '@/components/ui/cn'
import { Skeleton } from '@/components/ui/loading'

const textCode = lazyCode(async () => (await import('./status-text')).StatusText)

/**
 * How old the data is. No page knows that before its browser has asked, so the text comes after the page, and its room is
 * kept; where the code cannot be had, nothing is said.
 */
export function StatusLine({ shape }: { shape: 'side' | 'slim' }) {
  const t = useTranslations('status')
  const text = useLazyCode(textCode, true)
  return (
    <section
      aria-label={t('label')}
      className={cn('tabular text-xs text-mute', shape === 'side' ? 'min-h-12.75' : 'min-h-4.5')}
    >
      {text === undefined ? <Skeleton className="my-0.75 ml-3.25 h-3 w-32" /> : createElement(text, { shape })}
    </section>
  )
}
