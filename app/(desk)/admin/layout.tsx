import { NextIntlClientProvider } from 'next-intl'
import { getMessages } from 'next-intl/server'
import type { ReactNode } from 'react'
import { UnusualBanner } from '@/components/reading/unusual-banner'
import { pickAreas } from '@/lib/i18n/load-messages'
import { pageViewer } from '@/server/access/page-viewer'
import { may } from '@/server/access/viewer'
import { services } from '@/server/services'

/** Above each screen of the administrators: who read more than usual. */
export default async function AdminLayout({ children }: { children: ReactNode }) {
  const viewer = await pageViewer(services())
  if (!may(viewer, 'admin')) return children
  return (
    <>
      <NextIntlClientProvider messages={pickAreas(await getMessages(), ['reading'])}>
        <UnusualBanner />
      </NextIntlClientProvider>
      {children}
    </>
  )
}
