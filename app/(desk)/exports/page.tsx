import { deskPage } from '@/app/(desk)/desk-page'
import { ExportsScreen } from '@/components/export/exports-screen'
import { exportHistoryQuerySchema } from '@/lib/contract/export'
import { services } from '@/server/base/services'

const { generateMetadata, Page } = deskPage({
  title: (t) => t('export.history.title'),
  permission: 'leads:export',
  path: '/exports',
  areas: ['export'],
  screen: async ({ viewer }) => (
    <ExportsScreen initial={await services().exportLog.history(viewer, exportHistoryQuerySchema.parse({}))} />
  ),
})

export { generateMetadata, Page as default }
