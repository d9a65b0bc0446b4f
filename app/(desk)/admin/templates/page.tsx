import type { Metadata } from 'next'
import { NextIntlClientProvider } from 'next-intl'
import { getMessages, getTranslations } from 'next-intl/server'
import { refusedPage } from '@/app/(desk)/refused-page'
import { TemplatesScreen } from '@/components/admin/templates-screen'
import { pickAreas } from '@/lib/i18n/load-messages'
import { pageViewer } from '@/server/access/page-viewer'
import { may } from '@/server/access/viewer'
import { listTemplates } from '@/server/desk/reply-templates'
import { services } from '@/server/services'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('templates')
  return { title: t('title') }
}

export default async function TemplatesPage() {
  const viewer = await pageViewer(services())
  if (!may(viewer, 'admin')) return refusedPage(viewer, '/admin/templates')
  const [messages, { templates }] = await Promise.all([getMessages(), listTemplates(services(), viewer)])
  return (
    <NextIntlClientProvider messages={pickAreas(messages, ['common', 'templates'])}>
      <TemplatesScreen first={templates} />
    </NextIntlClientProvider>
  )
}
