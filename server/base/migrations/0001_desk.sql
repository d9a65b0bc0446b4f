CREATE TABLE "exports" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text,
	"at" timestamp with time zone NOT NULL,
	"list" text NOT NULL,
	"format" text NOT NULL,
	"columns" jsonb NOT NULL,
	"count" integer NOT NULL,
	"written" integer,
	"state" text NOT NULL,
	"ended_at" timestamp with time zone,
	"sealed_reason" text NOT NULL,
	"scope" text NOT NULL,
	"lead_ids" text[] NOT NULL,
	CONSTRAINT "exports_state" CHECK ("exports"."state" in ('started', 'finished', 'broken'))
);
--> statement-breakpoint
CREATE TABLE "lead_absences" (
	"kind" text NOT NULL,
	"lead_id" text NOT NULL,
	"missing_since" timestamp with time zone NOT NULL,
	CONSTRAINT "lead_absences_kind_lead_id_pk" PRIMARY KEY("kind","lead_id")
);
--> statement-breakpoint
CREATE TABLE "notes" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"lead_id" text NOT NULL,
	"author_id" text,
	"sealed_text" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "preferences" (
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"value" jsonb NOT NULL,
	CONSTRAINT "preferences_user_id_name_pk" PRIMARY KEY("user_id","name")
);
--> statement-breakpoint
CREATE TABLE "reply_templates" (
	"id" text PRIMARY KEY NOT NULL,
	"language" text NOT NULL,
	"name" text NOT NULL,
	"subject" text NOT NULL,
	"body" text NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "saved_views" (
	"id" text PRIMARY KEY NOT NULL,
	"owner_id" text NOT NULL,
	"list" text NOT NULL,
	"sealed_view" text NOT NULL,
	"shared" boolean NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"name" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "exports" ADD CONSTRAINT "exports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notes" ADD CONSTRAINT "notes_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "preferences" ADD CONSTRAINT "preferences_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "exports_user" ON "exports" USING btree ("user_id","scope","at");--> statement-breakpoint
CREATE INDEX "exports_at" ON "exports" USING btree ("at");--> statement-breakpoint
CREATE INDEX "notes_lead" ON "notes" USING btree ("kind","lead_id","created_at");--> statement-breakpoint
CREATE INDEX "notes_created_at" ON "notes" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "saved_views_owner" ON "saved_views" USING btree ("owner_id");