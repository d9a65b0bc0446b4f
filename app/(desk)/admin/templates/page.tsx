import { redirect } from 'next/navigation'
import { createDeskPage } from '@/app/(desk)/desk-page'
import { TemplatesScreen } from '@/components/admin/templates-screen'
import { may, requirePermission } from '@/server/access/viewer'
import { getServices } from '@/server/base/services'
import { listTemplates } from '@/server/replies/reply-templates'

const { generateMetadata, Page } = createDeskPage({
  title: (t) => t('templates.title'),
  permission: 'leads:reply',
  path: '/admin/templates',
  messageAreas: ['templates'],
  screen: async ({ viewer }) => {
    // Administrators are redirected, because they have the templates on the page of the work settings.
    if (may(viewer, 'admin')) redirect('/admin/work#templates')
    const { templates } = await listTemplates(getServices(), requirePermission(viewer, 'leads:read'))
    return <TemplatesScreen initialTemplates={templates} />
  },
})

export { generateMetadata, Page as default }
