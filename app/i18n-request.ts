import { getRequestConfig } from 'next-intl/server'
import { cookies, headers } from 'next/headers'
import { loadMessages } from '@/lib/i18n/load-messages'
import { localeCookie, localeOf } from '@/lib/i18n/locale'

export default getRequestConfig(async () => {
  const [jar, head] = await Promise.all([cookies(), headers()])
  const locale = localeOf(jar.get(localeCookie)?.value, head.get('accept-language'))
  return { locale, messages: await loadMessages(locale), timeZone: 'Europe/Stockholm' }
})
