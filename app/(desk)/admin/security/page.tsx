import { documentPage } from '@/app/(desk)/admin/document-page'

const page = documentPage('security')

export const generateMetadata = page.metadata
export default page.Page
