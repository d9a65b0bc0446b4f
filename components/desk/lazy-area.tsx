import { NextIntlClientProvider, useLocale, useMessages } from 'next-intl'
import { type ReactNode, useSyncExternalStore } from 'react'
import { type LazyCode, lazyCode, useLazyCode } from '@/components/browser/lazy-code'
import { type LazyAreaName, lazyMessages } from '@/lib/i18n/lazy-messages'
import type { Messages } from '@/lib/i18n/load-messages'
import type { Locale } from '@/lib/i18n/locale'
import { PartFailure } from './lazy-part'

/**
 * Adds the messages of an area that is not sent with the page to those that are. Until they are here there is nothing to
 * show, which is not for long: they come from the same place as the code that asks for them.
 */
export function LazyArea({ area, children }: { area: LazyAreaName; children: ReactNode }) {
  const locale = useLocale()
  const messages = useMessages()
  const code = areaWords(locale, area)
  const words = useLazyCode(code, true)
  const hasFailed = useSyncExternalStore(code.subscribe, code.hasFailed, () => false)
  if (words === undefined) return hasFailed && <PartFailure is="missing" onRetry={() => void code.want()} />
  return (
    <NextIntlClientProvider locale={locale} messages={{ ...messages, ...words }}>
      {children}
    </NextIntlClientProvider>
  )
}

const fetched = new Map<string, LazyCode<Partial<Messages>>>()

/** The messages of one area in one language, fetched once for all who want them. */
export function areaWords(locale: Locale, area: LazyAreaName): LazyCode<Partial<Messages>> {
  const name = `${locale} ${area}`
  const code = fetched.get(name) ?? lazyCode(() => lazyMessages(locale, area))
  fetched.set(name, code)
  return code
}
