import { getRequestConfig } from 'next-intl/server'
import { headers } from 'next/headers'
import { loadMessages } from '@/lib/i18n/load-messages'
import { findLocale } from '@/server/access/cookies'

export default getRequestConfig(async () => {
  const locale = findLocale({ headers: await headers() })
  return { locale, messages: await loadMessages(locale), timeZone: 'Europe/Stockholm' }
})
