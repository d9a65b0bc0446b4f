import { deskPage } from '@/app/(desk)/desk-page'
import { ExportsScreen } from '@/components/export/exports-screen'
import { exportHistoryQuerySchema } from '@/lib/contract/export'
import { services } from '@/server/services'

const page = deskPage({
  title: (t) => t('export.history.title'),
  permission: 'leads:export',
  path: '/exports',
  areas: ['export'],
  screen: async ({ viewer }) => (
    <ExportsScreen initial={await services().exportLog.history(viewer, exportHistoryQuerySchema.parse({}))} />
  ),
})

export const generateMetadata = page.metadata
export default page.Page
