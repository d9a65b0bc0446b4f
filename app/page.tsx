import { redirect } from 'next/navigation'
import { metadataOf } from '@/app/(desk)/desk-page'
import { startScreen } from '@/components/app/screens'
import { NoAccess } from '@/components/shell/no-screen'
import { pageViewer } from '@/server/http/page-viewer'
import { env } from '@/server/base/env'
import { services } from '@/server/base/services'
import { isFirstDay } from '@/server/leads/preferences'

export const generateMetadata = metadataOf({ title: (t) => t('trouble.noAccessTitle') })

export default async function StartPage() {
  const viewer = await pageViewer(services())
  const start = startScreen(viewer.permissions)
  const isConnected = env().mode === 'connected'
  if (isConnected && (await isFirstDay(services(), viewer))) redirect('/admin/work')
  if (start) redirect(start.href)
  return <NoAccess role={viewer.role} isStart />
}
