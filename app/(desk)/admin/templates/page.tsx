import { redirect } from 'next/navigation'
import { createDeskPage } from '@/app/(desk)/desk-page'
import { TemplatesScreen } from '@/components/admin/templates-screen'
import { requirePermission, may } from '@/server/access/viewer'
import { listTemplates } from '@/server/replies/reply-templates'
import { getServices } from '@/server/base/services'

const { generateMetadata, Page } = createDeskPage({
  title: (t) => t('templates.title'),
  permission: 'leads:reply',
  path: '/admin/templates',
  areas: ['templates'],
  screen: async ({ viewer }) => {
    if (may(viewer, 'admin')) redirect('/admin/work#templates')
    const { templates } = await listTemplates(getServices(), requirePermission(viewer, 'leads:read'))
    return <TemplatesScreen initial={templates} />
  },
})

export { generateMetadata, Page as default }
