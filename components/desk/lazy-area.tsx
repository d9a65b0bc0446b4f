import { useQuery } from '@tanstack/react-query'
import { NextIntlClientProvider, useLocale, useMessages } from 'next-intl'
import type { ReactNode } from 'react'
import { type LazyAreaName, lazyMessages } from '@/lib/i18n/lazy-messages'

/**
 * Adds the messages of an area that is not sent with the page to those that are. Shows nothing until they are here, which
 * is as good as at once: they come from the same place as the code that asks for them.
 */
export function LazyArea({ area, children }: { area: LazyAreaName; children: ReactNode }) {
  const locale = useLocale()
  const messages = useMessages()
  const { data } = useQuery({
    queryKey: ['messages', locale, area],
    queryFn: () => lazyMessages(locale, area),
    staleTime: Infinity,
    gcTime: Infinity,
  })
  if (data === undefined) return null
  return (
    <NextIntlClientProvider locale={locale} messages={{ ...messages, ...data }}>
      {children}
    </NextIntlClientProvider>
  )
}
