import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { redirect } from 'next/navigation'
import { NoAccess } from '@/components/shell/no-access'
import { startScreen } from '@/components/shell/screens'
import { pageViewer } from '@/server/access/viewer'

/** Only who is let in nowhere stays on this page. */
export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('errors')
  return { title: t('noAccessTitle') }
}

export default async function StartPage() {
  const viewer = await pageViewer()
  const start = startScreen(viewer.permissions)
  if (start) redirect(start.href)
  return <NoAccess role={viewer.role} isStart />
}
