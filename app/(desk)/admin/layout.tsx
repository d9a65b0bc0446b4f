import type { ReactNode } from 'react'
import { ClientMessages } from '@/components/desk/client-messages'
import { UnusualBanner } from '@/components/reading/unusual-banner'
import { pageViewer } from '@/server/access/page-viewer'
import { may } from '@/server/access/viewer'
import { services } from '@/server/services'

/** Shown above every admin screen: users who read more than usual. */
export default async function AdminLayout({ children }: { children: ReactNode }) {
  if (!may(await pageViewer(services()), 'admin')) return children
  return (
    <ClientMessages areas={['reading']}>
      <UnusualBanner />
      {children}
    </ClientMessages>
  )
}
