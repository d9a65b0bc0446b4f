import { ContactNotFound } from '@/components/contact/contact-not-found'

export default function NotFound() {
  return <ContactNotFound />
}
