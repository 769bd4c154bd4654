#include "profile/callgrind/namewriter.h"

NameWriter cg2_namewriter_new(Sink* sink,
                              const WriterConfig* config,
                              UInt n_objects,
                              UInt n_functions)
{
   return (NameWriter){.scribe = {.sink = sink, .config = config},
                       .objects = cg2_nameids_new(n_objects),
                       .files = cg2_nameids_new(cg2_code.file_names.n),
                       .functions = cg2_nameids_new(n_functions)};
}

void cg2_namewriter_free(NameWriter* w)
{
   cg2_nameids_free(&w->objects);
   cg2_nameids_free(&w->files);
   cg2_nameids_free(&w->functions);
}

void cg2_namewriter_object(NameWriter* w,
                           const HChar* spec,
                           const Object* object)
{
   cg2_scribe_name(&w->scribe, spec, object->name->text, &w->objects,
                   object->name->number);
}

void cg2_namewriter_file(NameWriter* w, const HChar* spec, const Name* file)
{
   cg2_scribe_name(&w->scribe, spec, file->text, &w->files, file->number);
}

void cg2_namewriter_function(NameWriter* w,
                             const HChar* spec,
                             const Context* context)
{
   cg2_scribe_name(&w->scribe, spec, context->name->text, &w->functions,
                   context->number);
}

void cg2_namewriter_begin(NameWriter* w, const Context* context)
{
   const Function* f = context->function;
   cg2_namewriter_file(w, "fl=", f->file);
   cg2_namewriter_function(w, "fn=", context);
   w->object = f->object;
   w->own = w->file = f->file;
   w->scribe.has_last = False;
}

void cg2_namewriter_change_file(NameWriter* w, const Name* file)
{
   if (file == w->file) return;
   cg2_namewriter_file(w, file == w->own ? "fe=" : "fi=", file);
   w->file = file;
}

void cg2_namewriter_callee(NameWriter* w, const Context* callee)
{
   const Function* f = callee->function;
   if (f->object != w->object) cg2_namewriter_object(w, "cob=", f->object);
   cg2_namewriter_file(w, "cfi=", f->file);
   cg2_namewriter_function(w, "cfn=", callee);
}
