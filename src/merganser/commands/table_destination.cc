#include "merganser/commands/table_destination.h"

#include <utility>

#include "merganser/base/quoted_identifier.h"

namespace merganser {

std::string TableDestination::quoted_name() const {
  return identifier ? identifier->Quoted() : "`delta`." + QuotedIdentifier(location.path);
}

Result<TableDestination> FindDestination(StatementContext& context,
                                         const std::vector<std::string>& name,
                                         const std::optional<std::string>& location) {
  const FileSystems& file_systems = context.catalog.file_systems();
  TableDestination destination;
  if (TableCatalog::IsPathName(name)) {
    MERGANSER_ASSIGN_OR_RETURN(destination.location, file_systems.Resolve(name[1]));
    if (location) {
      MERGANSER_ASSIGN_OR_RETURN(const FileLocation other, file_systems.Resolve(*location));
      if (other.uri != destination.location.uri) {
        return Error(
            ErrorClass::DELTA_AMBIGUOUS_PATHS_IN_CREATE_TABLE,
            {{"identifier", destination.location.uri},
             {"location", other.uri},
             {"config", "spark.databricks.delta.legacy.allowAmbiguousPathsInCreateTable"}});
      }
    }
  } else {
    MERGANSER_ASSIGN_OR_RETURN(destination.identifier, context.catalog.Identify(name));
    const Warehouse& warehouse = context.catalog.warehouse();
    MERGANSER_ASSIGN_OR_RETURN(destination.entry, warehouse.Find(*destination.identifier));
    std::string place = location ? warehouse.GivenLocation(*destination.identifier, *location)
                                 : warehouse.DefaultLocation(*destination.identifier);
    destination.managed = !location.has_value();
    if (destination.entry && destination.entry->provider != "view") {
      place = destination.entry->location;
      destination.managed = destination.entry->managed;
    }
    MERGANSER_ASSIGN_OR_RETURN(destination.location, file_systems.Resolve(place));
  }
  MERGANSER_ASSIGN_OR_RETURN(destination.existing,
                             context.catalog.snapshots().Latest(destination.location));
  return destination;
}

Status CheckLocationIsEmpty(const TableDestination& destination) {
  MERGANSER_ASSIGN_OR_RETURN(const auto entries,
                             destination.location.file_system->List(destination.location.path));
  if (entries.empty()) return Status::Ok();
  return Error(
      ErrorClass::DELTA_CREATE_TABLE_WITH_NON_EMPTY_LOCATION,
      {{"tableId", destination.quoted_name()}, {"tableLocation", destination.location.uri}});
}

Status RecordTable(StatementContext& context, const TableDestination& destination, bool replace) {
  if (!destination.identifier || destination.managed) return Status::Ok();
  WarehouseEntry entry;
  entry.provider = "delta";
  entry.location = destination.location.uri;
  return context.catalog.warehouse().Add(*destination.identifier, entry, replace);
}

Error TableExists(const TableDestination& destination) {
  return Error(ErrorClass::TABLE_OR_VIEW_ALREADY_EXISTS,
               {{"relationName", destination.quoted_name()}});
}

}  // namespace merganser
