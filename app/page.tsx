import { redirect } from 'next/navigation'
import { createMetadata } from '@/app/(desk)/desk-page'
import { selectPermittedScreens } from '@/components/app/screens'
import { NoAccessScreen } from '@/components/shell/trouble-screens'
import { may } from '@/server/access/viewer'
import { env } from '@/server/base/env'
import { getServices } from '@/server/base/services'
import { requirePageSession } from '@/server/http/page-session'

export const generateMetadata = createMetadata({ title: (t) => t('trouble.noAccessTitle') })

export default async function StartPage() {
  const { viewer } = await requirePageSession(getServices())
  const [start] = selectPermittedScreens(viewer.permissions)
  // An administrator of a new installation is first asked from which day leads count as work.
  const mayChoose = env().mode === 'connected' && may(viewer, 'admin')
  if (mayChoose && (await getServices().work.getSettings()).work === null) redirect('/admin/work')
  if (start) redirect(start.href)
  return <NoAccessScreen role={viewer.role} isStartPage />
}
