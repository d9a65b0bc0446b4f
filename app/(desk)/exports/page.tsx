import type { Metadata } from 'next'
import { NextIntlClientProvider } from 'next-intl'
import { getMessages, getTranslations } from 'next-intl/server'
import { refusedPage } from '@/app/(desk)/refused-page'
import { whileThere } from '@/app/(desk)/while-there'
import { ExportsScreen } from '@/components/export/exports-screen'
import { DatabaseAway } from '@/components/shell/database-away'
import { exportHistoryQuerySchema } from '@/lib/contract/export'
import { pickAreas } from '@/lib/i18n/load-messages'
import { pageViewer } from '@/server/access/page-viewer'
import { may } from '@/server/access/viewer'
import { services } from '@/server/services'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('export.history')
  return { title: t('title') }
}

export default async function ExportsPage() {
  const viewer = await pageViewer(services())
  if (!may(viewer, 'leads:export')) return refusedPage(viewer, '/exports', 'leads:export')
  const [messages, first] = await Promise.all([
    getMessages(),
    whileThere(() => services().exportLog.history(viewer, exportHistoryQuerySchema.parse({}))),
  ])
  if (first === null) return <DatabaseAway />
  return (
    <NextIntlClientProvider messages={pickAreas(messages, ['common', 'inbox', 'export'])}>
      <ExportsScreen first={first} />
    </NextIntlClientProvider>
  )
}
